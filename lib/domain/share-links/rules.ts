/** Why a file that was shared is not offered any more. */
export const WITHHELD = ['not_approved', 'not_sound', 'removed'] as const
export type Withheld = (typeof WITHHELD)[number]

/** As a sentence after the name of the file. */
export const WITHHELD_WORDS: Record<Withheld, string> = {
  not_approved: 'Its approval was withdrawn after it was shared.',
  not_sound: 'A fault was found in it after it was shared.',
  removed: 'It is not kept any more.',
}
