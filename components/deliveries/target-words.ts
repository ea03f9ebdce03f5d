import type { DeliveryTarget } from '@/lib/domain/deliveries/schema'

/** Where a target is, on one line. */
export function placeOf({ connection }: Pick<DeliveryTarget, 'connection'>): string {
  switch (connection.kind) {
    case 's3': {
      const where = connection.endpoint ? ` at ${new URL(connection.endpoint).host}` : `, ${connection.region}`
      return `${[connection.bucket, connection.prefix].filter(Boolean).join('/')}${where}`
    }
    case 'sftp': {
      const port = connection.port === 22 ? '' : `:${connection.port}`
      return `${connection.user}@${connection.host}${port}${connection.folder && `, ${connection.folder}`}`
    }
    default:
      return connection.url
  }
}
