/** Lets the person save a text as a file of the name given. */
export function saveText(name: string, mediaType: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
