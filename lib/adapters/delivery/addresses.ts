import type { Connection } from '@/lib/domain/deliveries/schema'
import { explainHost } from '../webhook-sender/addresses'

const SETTING = 'DELIVERY_PRIVATE_ADDRESSES'

/** What is wrong with the address of a target; null when nothing is. Names are looked up when something is sent. */
export function explainDeliveryTarget(
  connection: Connection,
  allowsPrivate: boolean,
): { field: string; why: string } | null {
  if (connection.kind === 'sftp') {
    const why = explainSftp(connection.host, allowsPrivate)
    return why === null ? null : { field: 'host', why }
  }
  const [field, address] = connection.kind === 's3' ? ['endpoint', connection.endpoint] : ['url', connection.url]
  const why = address === null ? null : explainUrl(address, allowsPrivate)
  return why === null ? null : { field, why }
}

function explainSftp(host: string, allowsPrivate: boolean): string | null {
  const parsed = hostOf(host)
  if (parsed === null) return 'expected a host name such as sftp.example.com, without a protocol and a path'
  return allowsPrivate ? null : explainHost(parsed, SETTING)
}

/** The host as it is connected to: an IPv4 address in its usual form, an IPv6 address without brackets. */
export function hostOf(host: string): string | null {
  const inUrl = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  if (!/^[\p{L}\p{N}._:[\]-]+$/u.test(host) || !URL.canParse(`https://${inUrl}/`)) return null
  const { hostname, port } = new URL(`https://${inUrl}/`)
  return port === '' && hostname !== '' ? hostname.replace(/^\[|\]$/g, '') : null
}

function explainUrl(text: string, allowsPrivate: boolean): string | null {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    return 'expected an address such as https://files.example.com/incoming'
  if (url.username !== '' || url.password !== '') return 'leave user and password out; they have fields of their own'
  if (url.search !== '' || url.hash !== '')
    return 'leave out the part after ? or #; the path of a file is put behind it'
  if (allowsPrivate) return null
  if (url.protocol !== 'https:') return 'expected https; credentials and files are sent'
  return explainHost(url.hostname, SETTING)
}
