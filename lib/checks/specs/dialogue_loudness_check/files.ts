import type { Sample } from '@/fixtures/audio'
import { type ClipName, clip } from '@/fixtures/clips'
import { coded, wav } from '../audio-files'
import { bad, good, label, sharing } from '../files'

/** As a service of films asks for it; what is good and bad follows from how loud the clips are made. */
const film = { target_lufs: -27, tolerance_lu: 2, otherwise_lufs: -24 }
const VOICES = ['awb', 'french', 'kal16', 'kallpc', 'rms', 'slt'] as const
const MUSIC = ['brass', 'disco', 'drums', 'guitar', 'marimba', 'piano', 'rock', 'strings'] as const

const over =
  (one: Sample, other: Sample): Sample =>
  (time, channel) =>
    one(time, channel) + other(time, channel)

/** Of 26 seconds: speech of `voice` LUFS from the sixth to the 20th, with music before and after it, and below it. */
const programme = (speech: ClipName, music: ClipName, levels: { voice: number; music: number; below: number }) => {
  const [voice, loud, below] = [clip(speech, levels.voice), clip(music, levels.music), clip(music, levels.below)]
  const spoken = over((time, channel) => voice(time - 6, channel), below)
  return wav(26, (time, channel) => (time < 6 || time >= 20 ? loud : spoken)(time, channel))
}

/** 5.1: the voice in the centre, music of this loudness in the other four. */
const surround = (voice: number, music: number) => {
  const [centre, around] = [clip('speech-slt', voice + 3.01), clip('music-strings', music - 3)]
  return wav(16, (time, channel) => (channel === 2 ? centre : channel === 3 ? () => 0 : around)(time, channel), {
    channels: 6,
    mask: 0x3f,
  })
}

export const FILES = sharing({ thresholds: film }, [
  // Speech alone, at and beyond its tolerance.
  ...VOICES.flatMap((voice) =>
    [-27, -25.8, -28.2, -23.5, -30.5].map((level) =>
      label(Math.abs(level + 27) > 2)(`${voice}${level}.wav`, wav(16, clip(`speech-${voice}`, level))),
    ),
  ),
  // The whole programme is far from the dialogue.
  good('loud-music.wav', programme('speech-rms', 'music-rock', { voice: -27, music: -17, below: -45 })),
  good('quiet-music.wav', programme('speech-slt', 'music-strings', { voice: -27, music: -40, below: -45 })),
  good('bed.wav', programme('speech-kal16', 'music-disco', { voice: -27, music: -24, below: -39 })),
  bad('quiet-voice.wav', programme('speech-awb', 'music-brass', { voice: -32, music: -24, below: -46 })),
  bad('quiet-voice-drums.wav', programme('speech-french', 'music-drums', { voice: -32, music: -26, below: -50 })),
  bad('loud-voice.wav', programme('speech-rms', 'music-guitar', { voice: -22, music: -32, below: -38 })),
  good('surround.wav', surround(-27, -36)),
  bad('surround-quiet.wav', surround(-32, -41)),
  good('mono.wav', wav(16, clip('speech-slt', -27 + 3.01), { channels: 1 })),
  good('coded.m4a', coded({ seconds: 16, bitRate: 96_000, sample: clip('speech-awb', -27) })),
  // Music alone is no dialogue: the whole programme counts.
  ...MUSIC.flatMap((music) => [
    good(`${music}-24.wav`, wav(13, clip(`music-${music}`, -24))),
    bad(`${music}-19.wav`, wav(13, clip(`music-${music}`, -19))),
  ]),
])
