import { randomFrom } from '../seeded-random.ts'
import { pictureBytes } from '../uploads.ts'
import { activeFiles } from './active-files.ts'
import { CANARY, hostile, PAGE, zip, type HostileFile } from './hostile-file.ts'
import { bombs, picturesWithMetadata, rarePictures, type SamplePictures } from './odd-pictures.ts'

const SEED = 20_261_122
const CUTS_PER_FORMAT = 46
const MUTATIONS_PER_FORMAT = 52
/** Changed bytes of one mutation; every third changes the first bytes only, where the structure is. */
const CHANGES = 8
const HEAD_BYTES = 200

/** More than 500 uploads that try to be run, to be shown unchanged, or to harm their decoder. */
export async function hostileUploads(): Promise<HostileFile[]> {
  const pictures: SamplePictures = {
    jpeg: await pictureBytes(200, 150),
    png: await pictureBytes(200, 150, { format: 'png' }),
    webp: await pictureBytes(200, 150, { format: 'webp' }),
  }
  const named = [
    ...activeFiles(),
    ...(await picturesWithMetadata(pictures)),
    ...(await bombs(pictures)),
    ...(await rarePictures(pictures)),
    ...polyglots(pictures),
  ]
  return [...named, ...truncated(pictures), ...mutated(pictures)]
}

/** A picture and something else in one file. */
function polyglots(pictures: SamplePictures): HostileFile[] {
  const others: [string, string | Buffer][] = [
    ['a page', PAGE],
    ['an SVG', `<svg onload="alert('${CANARY}')"/>`],
    ['a script', `/*${CANARY}*/alert(1)`],
    ['PHP', `<?php echo "${CANARY}"; ?>`],
    ['an archive', zip('index.html', PAGE)],
    ['a program of Java', zip('META-INF/MANIFEST.MF', CANARY)],
    ['a document', `%PDF-1.4\n${CANARY}\n%%EOF`],
    ['a film', `\0\0\0\x18ftypmp42${CANARY}`],
    ['a program', `\x7fELF${CANARY}`],
    ['a shell script', `\n#!/bin/sh\necho ${CANARY}`],
    ['a megabyte', Buffer.alloc(1_000_000, CANARY)],
    ['a second picture', Buffer.concat([pictures.jpeg, Buffer.from(CANARY)])],
  ]
  return Object.entries(pictures).flatMap(([format, bytes]: [string, Buffer]) => [
    ...others.map(([label, other]) => hostile(`a ${format} with ${label} behind it`, bytes, other)),
    ...others
      .slice(0, 7)
      .map(([label, other]) => hostile(`a ${format} behind ${label}`, other, bytes)),
    hostile(`a page behind the head of a ${format}`, bytes.subarray(0, 33), PAGE),
    hostile(
      `a ${format} with a page in its middle`,
      bytes.subarray(0, bytes.length >> 1),
      PAGE,
      bytes.subarray(bytes.length >> 1),
    ),
  ])
}

function truncated(pictures: SamplePictures): HostileFile[] {
  return Object.entries(pictures).flatMap(([format, bytes]: [string, Buffer]) =>
    Array.from({ length: CUTS_PER_FORMAT }, (_, index) => {
      // Every second cut is in the header, byte by byte.
      const at = index % 2 === 0 ? index + 1 : Math.floor((bytes.length * index) / CUTS_PER_FORMAT)
      return hostile(`${at} bytes of a ${format}`, bytes.subarray(0, at))
    }),
  )
}

function mutated(pictures: SamplePictures): HostileFile[] {
  const random = randomFrom(SEED)
  return Object.entries(pictures).flatMap(([format, original]: [string, Buffer]) =>
    Array.from({ length: MUTATIONS_PER_FORMAT }, (_, index) => {
      const bytes = Buffer.from(original)
      const span = index % 3 === 0 ? Math.min(HEAD_BYTES, bytes.length) : bytes.length
      for (let change = 0; change < CHANGES; change += 1)
        bytes[Math.floor(random() * span)] = Math.floor(random() * 256)
      return hostile(`mutation ${index} of a ${format}, seed ${SEED}`, bytes)
    }),
  )
}
