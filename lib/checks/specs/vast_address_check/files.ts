import { writeFileSync } from 'node:fs'
import { vast, vastWrapper, writeVast } from '@/fixtures/vast'
import { bad, good } from '../files'

export const FILES = [
  good('secure.xml', writeVast()),
  good(
    'macros.xml',
    writeVast({ impression: '<Impression><![CDATA[ https://t.example/i?gdpr=[GDPR]&t=[TIMESTAMP] ]]></Impression>' }),
  ),
  good(
    'http-in-an-extension.xml',
    writeVast({}, (text) =>
      text.replace(
        '</InLine>',
        '<Extensions><Extension type="x"><ClickThrough>http://old.example/</ClickThrough></Extension></Extensions></InLine>',
      ),
    ),
  ),
  good('namespace.xml', writeVast({ version: '4.1' })),
  bad('http-media.xml', writeVast({ files: [{ address: 'http://cdn.example/spot.mp4' }] })),
  bad('http-click.xml', writeVast({ clickThrough: '<ClickThrough>http://www.example.com/</ClickThrough>' })),
  bad('no-scheme.xml', writeVast({ files: [{ address: '//cdn.example/spot.mp4' }] })),
  bad('relative.xml', writeVast({ files: [{ address: 'spot.mp4' }] })),
  bad('empty-error.xml', (file) => writeFileSync(file, vast().replace(/<Error>.*<\/Error>/, '<Error></Error>'))),
  bad('http-wrapper.xml', (file) => writeFileSync(file, vastWrapper('4.2', 'http://ads.example/next'))),
]
