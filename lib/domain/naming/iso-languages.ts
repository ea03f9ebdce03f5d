/**
 * ISO 639-1 languages, each with its ISO 639-2 codes, so that `ger` and `deu` are understood as `de`.
 * The withdrawn `bh` and `sh` are left out.
 */
const LANGUAGES = `
  aa:aar ab:abk ae:ave af:afr ak:aka am:amh an:arg ar:ara as:asm av:ava ay:aym az:aze ba:bak be:bel bg:bul
  bi:bis bm:bam bn:ben bo:bod/tib br:bre bs:bos ca:cat ce:che ch:cha co:cos cr:cre cs:ces/cze cu:chu cv:chv
  cy:cym/wel da:dan de:deu/ger dv:div dz:dzo ee:ewe el:ell/gre en:eng eo:epo es:spa et:est eu:eus/baq fa:fas/per
  ff:ful fi:fin fj:fij fo:fao fr:fra/fre fy:fry ga:gle gd:gla gl:glg gn:grn gu:guj gv:glv ha:hau he:heb hi:hin
  ho:hmo hr:hrv ht:hat hu:hun hy:hye/arm hz:her ia:ina id:ind ie:ile ig:ibo ii:iii ik:ipk io:ido is:isl/ice
  it:ita iu:iku ja:jpn jv:jav ka:kat/geo kg:kon ki:kik kj:kua kk:kaz kl:kal km:khm kn:kan ko:kor kr:kau ks:kas
  ku:kur kv:kom kw:cor ky:kir la:lat lb:ltz lg:lug li:lim ln:lin lo:lao lt:lit lu:lub lv:lav mg:mlg mh:mah
  mi:mri/mao mk:mkd/mac ml:mal mn:mon mr:mar ms:msa/may mt:mlt my:mya/bur na:nau nb:nob nd:nde ne:nep ng:ndo
  nl:nld/dut nn:nno no:nor nr:nbl nv:nav ny:nya oc:oci oj:oji om:orm or:ori os:oss pa:pan pi:pli pl:pol ps:pus
  pt:por qu:que rm:roh rn:run ro:ron/rum ru:rus rw:kin sa:san sc:srd sd:snd se:sme sg:sag si:sin sk:slk/slo
  sl:slv sm:smo sn:sna so:som sq:sqi/alb sr:srp ss:ssw st:sot su:sun sv:swe sw:swa ta:tam te:tel tg:tgk th:tha
  ti:tir tk:tuk tl:tgl tn:tsn to:ton tr:tur ts:tso tt:tat tw:twi ty:tah ug:uig uk:ukr ur:urd uz:uzb ve:ven
  vi:vie vo:vol wa:wln wo:wol xh:xho yi:yid yo:yor za:zha zh:zho/chi zu:zul
`

/** What people write instead: names, and country codes that are no language codes. Codes that mean another language are not here. */
const OTHER_SPELLINGS = `
  ARABIC:ar BULGARIAN:bg CASTELLANO:es CATALAN:ca CHINESE:zh CROATIAN:hr CZECH:cs DANISH:da DANSK:da DEUTSCH:de
  DUTCH:nl ENGLISCH:en ENGLISH:en ESPANOL:es ESPAÑOL:es ESTONIAN:et FINNISH:fi FLEMISH:nl FRANCAIS:fr FRANÇAIS:fr
  FRENCH:fr GERMAN:de GREEK:el HEBREW:he HINDI:hi HUNGARIAN:hu INDONESIAN:id ITALIAN:it ITALIANO:it JAPANESE:ja
  KOREAN:ko LATVIAN:lv LITHUANIAN:lt MANDARIN:zh NEDERLANDS:nl NORSK:no NORWEGIAN:no POLISH:pl POLSKI:pl
  PORTUGUESE:pt PORTUGUES:pt PORTUGUÊS:pt ROMANIAN:ro RUSSIAN:ru SERBIAN:sr SLOVAK:sk SLOVENIAN:sl SPANISH:es
  SUOMI:fi SVENSKA:sv SWEDISH:sv THAI:th TURKISH:tr UKRAINIAN:uk VIETNAMESE:vi
  CN:zh CZ:cs DK:da GB:en IL:he JP:ja UA:uk US:en VN:vi
`

const entries = LANGUAGES.trim()
  .split(/\s+/)
  .map((entry) => entry.split(':') as [string, string])

/** ISO 639-1 codes, lower case. */
export const LANGUAGE_CODES: ReadonlySet<string> = new Set(entries.map(([code]) => code))

const codeBySpelling = new Map([
  ...entries.flatMap(([code, longCodes]) => longCodes.split('/').map((long) => [long.toUpperCase(), code] as const)),
  ...OTHER_SPELLINGS.trim()
    .split(/\s+/)
    .map((entry) => entry.split(':') as [string, string]),
])

/** The ISO 639-1 code meant by `eng`, `German` or `JP`; null when that is unknown. */
export function findLanguageCode(spelling: string): string | null {
  const code = spelling.toLowerCase()
  return LANGUAGE_CODES.has(code) ? code : (codeBySpelling.get(spelling.toUpperCase()) ?? null)
}
