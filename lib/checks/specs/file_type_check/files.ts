import { bad, good } from '../files'
import { WRITE } from '../whole-files'

const takes = { expects: { mediaTypes: ['image/jpeg', 'image/png'] } }

export const FILES = [
  good('photo.jpg', (file) => WRITE.jpg?.(file), takes),
  good('photo.jpeg', (file) => WRITE.jpg?.(file), takes),
  good('SHOUT.PNG', (file) => WRITE.png?.(file), takes),
  good('any.webp', (file) => WRITE.webp?.(file)),
  good('listed.pdf', (file) => WRITE.pdf?.(file), { thresholds: { allowed: ['application/pdf'] }, ...takes }),
  bad('moving.gif', (file) => WRITE.gif?.(file), takes),
  bad('photo.webp', (file) => WRITE.webp?.(file), takes),
  bad('renamed.png', (file) => WRITE.jpg?.(file), { content: 'image/jpeg' }),
  bad('video.wav', (file) => WRITE.mp3?.(file), { content: 'audio/mpeg' }),
  bad('page.pdf', (file) => WRITE.pdf?.(file), takes),
]
