import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Addresses that belong to no host outside (IANA special-purpose registries, RFC 6890 and its successors): this machine, the
 * networks around it, and where clouds hand out their keys (169.254.169.254).
 */
const NOT_PUBLIC = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 carries an IPv4 address of the sender's choice.
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(net, bits, 'ipv6')

/** Global unicast; everything else of IPv6 is local, mapped or reserved. */
const GLOBAL_V6 = new BlockList()
GLOBAL_V6.addSubnet('2000::', 3, 'ipv6')

/** Whether the literal address is one on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  if (isIPv6(address)) return GLOBAL_V6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
  return !NOT_PUBLIC.check(address, 'ipv4')
}

/** What is wrong with an address to send to, as a sentence; null when nothing is. Names are looked up when sending. */
export function explainTarget(text: string, allowsPrivate: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return 'expected an address such as https://example.com/hooks'
  if (url.username !== '' || url.password !== '') return 'leave user and password out; the signature proves who sends'
  if (url.hash !== '') return 'leave out the part after #; it is never sent'
  if (allowsPrivate) return null
  if (url.protocol !== 'https:') return 'expected https; what is sent names files and people'
  return explainHost(url.hostname, 'WEBHOOK_PRIVATE_ADDRESSES')
}

/** Whether a host may be on the public internet: a sentence where it surely is not. `setting`: what permits it all the same. */
export function explainHost(hostname: string, setting: string): string | null {
  // The parser of addresses has turned every way of writing an IPv4 address (decimal, octal, hexadecimal) into the usual one.
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLocalName = /^(.*\.)?(localhost|local|internal|home\.arpa)\.?$/.test(host) || !/[.:]/.test(host)
  if (isLocalName || (isIP(host) !== 0 && !isPublicAddress(host)))
    return `${host} is not on the public internet; ${setting}=allow on the server permits such targets`
  return null
}
