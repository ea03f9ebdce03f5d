/** Commands that mend one very file. A name comes from a stranger: it is quoted so that a shell sees one word. */

// What is one literal word between double quotes both in a POSIX shell and in cmd.exe.
const PLAIN = /^[\p{L}\p{N} ._+,=@()[\]{}~#-]+$/u

/** A file name as one word of a command line. */
export function quoted(name: string): string {
  // A leading dash would be read as an option.
  const path = name.startsWith('-') ? `./${name}` : name
  if (PLAIN.test(name)) return `"${path}"`
  return `'${path.replaceAll("'", "'\\''")}'`
}

/** Where a mended copy goes: beside the file, so that the original survives. */
export function mendedName(name: string): string {
  return `fixed-${name}`
}

/** `ffmpeg -i "name" <options> "fixed-name"` */
export function ffmpeg(name: string, options: string): string {
  return `ffmpeg -i ${quoted(name)} ${options} ${quoted(mendedName(name))}`
}
