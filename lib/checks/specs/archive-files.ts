import { writeFileSync } from 'node:fs'
import { type ZipFile, zip } from '@/fixtures/zip'

export const pack = (entries: readonly ZipFile[]) => (file: string) => writeFileSync(file, zip(entries))

export const SIZE = '<meta name="ad.size" content="width=300,height=250">'

export const TAG = '<script>var clickTag = "https://www.example.com/";</script>'

export const LINK = '<a href="javascript:window.open(window.clickTag)"><img src="hero.png" alt=""></a>'

export const page = (head: string, body = LINK) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>Ad</title></head><body>${body}</body></html>`

export const HTML: ZipFile = ['index.html', page(SIZE + TAG)]

export const HERO: ZipFile = ['hero.png', 'image']

export const ad = (head: string, body = LINK, more: readonly ZipFile[] = []) =>
  pack([['index.html', page(head, body)], HERO, ...more])
