import { wav } from '@/fixtures/audio'
import { ad, moving, onLoad } from '../ad-files'
import { bad, good, sharing } from '../files'

const beep = (more: string) =>
  ad({
    script: `const context = new AudioContext(); const source = context.createOscillator(); const gain = context.createGain(); source.connect(gain); ${more}`,
  })

export const FILES = sharing({ runs: true }, [
  good('still.zip', ad()),
  good('moving.zip', moving('m 1s 1 forwards')),
  good('looks-on-click.zip', ad({ script: 'document.addEventListener("click", () => console.log("clicked"));' })),
  good('prepares-sound.zip', beep('gain.connect(context.destination);')),
  good('measures-sound.zip', beep('gain.connect(context.createAnalyser()); source.start();')),
  good('muted.zip', beep('gain.gain.value = 0; gain.connect(context.destination); source.start();')),
  good(
    'sound-on-click.zip',
    beep('gain.connect(context.destination); document.addEventListener("click", () => source.start());'),
  ),
  bad('sound.zip', beep('gain.connect(context.destination); source.start(); source.stop(context.currentTime + 0.4);')),
  bad('sound-later.zip', beep('gain.connect(context.destination); setTimeout(() => source.start(), 900);')),
  bad(
    'sound-of-samples.zip',
    ad({
      script:
        'const context = new AudioContext(); const buffer = context.createBuffer(1, 8000, 48000); buffer.getChannelData(0).fill(0.3); const source = context.createBufferSource(); source.buffer = buffer; source.connect(context.destination); source.start();',
    }),
  ),
  bad(
    'sound-of-a-player.zip',
    ad(
      { script: 'const player = new Audio("tune.wav"); player.loop = true; player.play();' },
      { 'tune.wav': wav(1, (time) => 0.2 * Math.sin(time * 2765)) },
    ),
  ),
  bad('dialog.zip', ad({ script: 'alert("hello");' })),
  bad('window.zip', ad({ script: onLoad('window.open("https://www.example.com/")') })),
  bad('leaves.zip', ad({ script: onLoad('location.href = "https://www.example.com/"') })),
  bad('never-ends.zip', ad({ script: 'for (;;) {}' })),
])
