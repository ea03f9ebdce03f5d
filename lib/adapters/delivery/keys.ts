import ssh2 from 'ssh2'

/**
 * Why no SSH server can be entered with such a private key, with the field that is wrong; null where it can be read. Whether a
 * passphrase opens it is found out by the test of the target: that takes as long as its maker wanted it to.
 */
export function explainPrivateKey(key: string, passphrase: string | undefined): { field: string; why: string } | null {
  const read = ssh2.utils.parseKey(key)
  if (read instanceof Error) {
    const isLocked = /no passphrase given/.test(read.message)
    if (!isLocked) return { field: 'private_key', why: 'it is no private key that can be read (OpenSSH, PEM or PuTTY)' }
    return passphrase === undefined ? { field: 'passphrase', why: 'the private key is locked by one' } : null
  }
  const [first] = Array.isArray(read) ? read : [read]
  return first?.isPrivateKey() ? null : { field: 'private_key', why: 'it is the public half of a key' }
}
