import { encode } from 'uqr'
import type { Certificate } from '@/lib/domain/certificates/schema'
import { formatBytes, formatCount } from '@/lib/format'
import { drawDocument } from './document'
import type { Block } from './pages'
import { BODY_WIDTH, COLOR } from './paper'
import { Tag } from './tags'
import { Typesetter } from './typesetter'

const QR = 96
const TITLE = { size: 19, leading: 25, most: 4 }
const SMALL = { size: 8, leading: 11 }
/** Between the line above a file and its name. */
const PAD = 7

/** Renders a certificate as tagged PDF 1.7, with a QR code to its verification page. The same certificate gives the same bytes. */
export async function renderCertificate(certificate: Certificate): Promise<Buffer> {
  const { statement, key_id } = certificate
  const set = await Typesetter.for(textsOf(certificate))
  const blocks: Block[] = [heading(set, certificate), ...statement.files.map((file) => fileBlock(set, file))]
  const facts = {
    title: `${statement.batch.name}: certificate of approval`,
    subject: `${statement.project.name}, ${statement.agency.name}`,
    language: 'en',
    madeAt: new Date(statement.issued_at),
  }
  const frame = {
    running: `${statement.batch.name}  Certificate of approval`,
    owner: statement.agency.name,
    foot: `Signed with Ed25519 by key ${key_id}`,
  }
  return drawDocument(set, facts, frame, blocks)
}

function heading(set: Typesetter, { statement }: Certificate): Block {
  const width = BODY_WIDTH - QR - 24
  const title = set.shortened(statement.batch.name.replace(/\s+/g, ' '), width, TITLE.size, TITLE.most, 700)
  const eyebrow = set.oneLine('Certificate of approval', width, 9.5, 700)
  const facts = [
    `${statement.project.name}, for ${statement.agency.name}`,
    `Round ${statement.round}, approved ${timeOf(statement.approved_at)}`,
    `${formatCount(statement.files.length, 'file')}, each named by the SHA-256 of its bytes`,
    statement.verification_url,
  ].map((text) => set.oneLine(text, width, 9.5))
  const factsTop = 18 + title.length * TITLE.leading + 6
  const height = Math.max(factsTop + facts.length * 14, QR) + 22
  const kind = new Tag('P')
  const name = new Tag('H1')
  const lines = facts.map(() => new Tag('P'))
  const code = new Tag('Figure', { alt: `QR code of ${statement.verification_url}` })
  return {
    height,
    bookmark: 'Certificate of approval',
    tags: [kind, name, ...lines, code],
    draw: (pen) => {
      pen.words(eyebrow, { size: 9.5, color: COLOR.accent, tag: kind })
      pen.lines(title, { top: 16, width, size: TITLE.size, leading: TITLE.leading, tag: name })
      for (const [index, line] of facts.entries()) {
        pen.words(line, { top: factsTop + index * 14, size: 9.5, color: COLOR.muted, tag: lines[index] })
      }
      const { path, units } = qrCode(statement.verification_url)
      pen.shape(path, units, { left: BODY_WIDTH - QR, width: QR, tag: code })
      pen.rule({ top: height - 10, width: BODY_WIDTH })
    },
  }
}

/** Dark modules as the data of an SVG path, and how many there are in a row. */
function qrCode(value: string) {
  const { data, size } = encode(value, { ecc: 'M', border: 0 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { path, units: size }
}

function fileBlock(set: Typesetter, file: Certificate['statement']['files'][number]): Block {
  const name = set.shortened(file.name, BODY_WIDTH * 0.68, 9.5, 2, 700)
  const waivers = (file.pre_qc?.waivers ?? []).flatMap(({ check_id, reason, by }) =>
    set.shortened(`Waived: ${check_id} by ${by}. ${reason}`, BODY_WIDTH, SMALL.size, 3),
  )
  const facts = [
    `Version ${file.version}, ${formatBytes(file.size)}`,
    `approved ${timeOf(file.approved_at)}${file.approved_by ? ` by ${file.approved_by.name}` : ''}`,
    file.pre_qc ? `Pre-QC ${file.pre_qc.summary ?? 'not finished'}, rules ${file.pre_qc.profile_version}` : 'no Pre-QC',
  ].join('; ')
  const lines = [
    set.oneLine(file.sha256, BODY_WIDTH, SMALL.size),
    set.oneLine(facts, BODY_WIDTH, SMALL.size),
    ...waivers,
  ]
  const top = PAD + name.length * 13
  const title = new Tag('H2')
  const said = lines.map(() => new Tag('P'))
  return {
    height: top + lines.length * SMALL.leading + 10,
    rule: { weight: 0.5, color: COLOR.rule },
    tags: [title, ...said],
    draw: (pen) => {
      pen.lines(name, { top: PAD, width: BODY_WIDTH * 0.68, size: 9.5, leading: 13, tag: title })
      for (const [index, line] of lines.entries()) {
        const color = index === 0 ? COLOR.ink : COLOR.muted
        pen.words(line, { top: top + index * SMALL.leading, size: SMALL.size, color, tag: said[index] })
      }
    },
  }
}

const timeOf = (at: string | null) => (at ? `${at.slice(0, 16).replace('T', ' ')} UTC` : 'at no known time')

/** Every text that a person or a file may have brought. */
const textsOf = ({ statement }: Certificate): string[] => [
  statement.batch.name,
  statement.project.name,
  statement.agency.name,
  ...statement.files.flatMap(({ name, approved_by, pre_qc }) => [
    name,
    approved_by?.name ?? '',
    ...(pre_qc?.waivers ?? []).flatMap(({ reason, by }) => [reason, by]),
  ]),
  // What the parts themselves write.
  '—…·–×',
]
