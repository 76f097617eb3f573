import { deflateSync, gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import {
  behindHeader,
  behindStart,
  CANARY,
  hostile,
  jpegSegment,
  PAGE,
  pngChunk,
  uint32,
  type HostileFile,
} from './hostile-file.ts'
import { pictureBytes } from '../uploads.ts'

export interface SamplePictures {
  readonly jpeg: Buffer
  readonly png: Buffer
  readonly webp: Buffer
}

const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="${CANARY}"/></rdf:RDF></x:xmpmeta>`
const IPTC = Buffer.from(
  `Photoshop 3.0\0${'8BIM'}\x04\x04\0\0\0\0\0\x19\x1c\x02\x5a\0\x14${CANARY}\0`,
  'latin1',
)
const FORMATS = ['jpeg', 'png', 'webp'] as const

/** SamplePictures that say where they were taken, who took them and with what, in each way that a format has. */
export async function picturesWithMetadata(pictures: SamplePictures): Promise<HostileFile[]> {
  return [...(await writtenMetadata(pictures)), ...jpegSegments(pictures), ...pngChunks(pictures)]
}

async function writtenMetadata({ jpeg }: SamplePictures): Promise<HostileFile[]> {
  const files: HostileFile[] = []
  for (const format of FORMATS) {
    const of = () => sharp(jpeg).toFormat(format)
    const exif = {
      IFD0: { Copyright: CANARY, ImageDescription: CANARY, Artist: CANARY, Software: CANARY },
      IFD3: { GPSAreaInformation: CANARY, GPSLatitude: '52/1 31/1 12/1', GPSLatitudeRef: 'N' },
    }
    files.push(hostile(`a ${format} with a place`, await of().withExif(exif).toBuffer()))
    files.push(hostile(`a ${format} with a place in XMP`, await of().withXmp(XMP).toBuffer()))
    files.push(hostile(`a ${format} with both`, await of().withExif(exif).withXmp(XMP).toBuffer()))
    for (const profile of ['p3', 'cmyk'])
      if (profile === 'p3' || format === 'jpeg')
        files.push(
          hostile(
            `a ${format} with the colours ${profile}`,
            await of().withIccProfile(profile).toBuffer(),
          ),
        )
    for (let orientation = 1; orientation <= 8; orientation += 1)
      files.push(
        hostile(
          `a ${format} turned ${orientation}`,
          await of().withMetadata({ orientation }).toBuffer(),
        ),
      )
  }
  return files
}

function jpegSegments({ jpeg }: SamplePictures): HostileFile[] {
  const icc = (content: string) => jpegSegment(0xe2, `ICC_PROFILE\0\x01\x01${content}`)
  return [
    hostile('a JPEG with IPTC', behindStart(jpeg, jpegSegment(0xed, IPTC))),
    hostile('a JPEG with a page in its comment', behindStart(jpeg, jpegSegment(0xfe, PAGE))),
    hostile('a JPEG with a broken profile', behindStart(jpeg, icc(CANARY))),
    hostile('a JPEG with a page as profile', behindStart(jpeg, icc(PAGE.repeat(20)))),
    hostile(
      'a JPEG with a broken Exif',
      behindStart(jpeg, jpegSegment(0xe1, `Exif\0\0II*\0\xff\xff\xff\x7f${CANARY}`)),
    ),
    hostile(
      'a JPEG with an Exif that refers to itself',
      behindStart(
        jpeg,
        jpegSegment(
          0xe1,
          `Exif\0\0II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0${CANARY}`,
        ),
      ),
    ),
    hostile(
      'a JPEG with a thousand segments',
      behindStart(jpeg, ...Array.from({ length: 1000 }, () => jpegSegment(0xe5, CANARY))),
    ),
    hostile('a JPEG with a film of a phone behind it', jpeg, '\0\0\0\x18ftypmp42', CANARY),
  ]
}

function pngChunks({ png }: SamplePictures): HostileFile[] {
  return [
    hostile(
      'a PNG with a page in its text',
      behindHeader(png, pngChunk('tEXt', Buffer.from(`Comment\0${PAGE}`))),
    ),
    hostile(
      'a PNG with a page in its long text',
      behindHeader(png, pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${PAGE}`))),
    ),
    hostile(
      'a PNG with Exif',
      behindHeader(png, pngChunk('eXIf', Buffer.from(`II*\0\x08\0\0\0${CANARY}`))),
    ),
    hostile(
      'a PNG with a chunk of its own',
      behindHeader(png, pngChunk('caNb', Buffer.from(CANARY))),
    ),
    hostile(
      'a PNG with ten thousand chunks',
      behindHeader(
        png,
        ...Array.from({ length: 10_000 }, () => pngChunk('tEXt', Buffer.from(CANARY))),
      ),
    ),
  ]
}

/** A PNG that claims to be large; its content is a few bytes. */
function getPng(width: number, height: number, depth = 8, kind = 6): Buffer {
  const head = Buffer.concat([uint32(width), uint32(height), Buffer.from([depth, kind, 0, 0, 0])])
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A GIF of one pixel that claims another size. */
function getGif(width: number, height: number): Buffer {
  const bytes = Buffer.from(
    'GIF89a\0\0\0\0\xf0\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;',
    'latin1',
  )
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

/** The header of a WebP with a canvas of this side. */
function getCanvas(side: number): Buffer {
  const size = Buffer.alloc(6)
  size.writeUIntLE(side, 0, 3)
  size.writeUIntLE(side, 3, 3)
  return Buffer.concat([Buffer.from('VP8X\x0a\0\0\0\x02\0\0\0', 'latin1'), size])
}

/** Writes another size into the frame header of a JPEG. */
function withSize(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  const at = bytes.indexOf(Buffer.from('ffc0', 'hex'))
  bytes.writeUInt16BE(height, at + 5)
  bytes.writeUInt16BE(width, at + 7)
  return bytes
}

/** Small files that want much memory or time. */
export async function bombs(pictures: SamplePictures): Promise<HostileFile[]> {
  return [...claimedSizes(pictures), ...(await largeContents(pictures))]
}

function claimedSizes({ jpeg, webp }: SamplePictures): HostileFile[] {
  const sizes: [number, number][] = [
    [30_000, 30_000],
    [6000, 6000],
    [2, 2_000_000],
    [2_000_000, 2],
    [0, 0],
    [0xffffffff, 1],
    [0x7fffffff, 0x7fffffff],
    [65_535, 65_535],
  ]
  return [
    ...sizes.map(([width, height]) =>
      hostile(`a PNG of ${width} by ${height}`, getPng(width, height)),
    ),
    ...[1, 2, 4, 16].map((depth) =>
      hostile(`a PNG of 20,000 by 20,000 with ${depth} bits`, getPng(20_000, 20_000, depth, 0)),
    ),
    ...(
      [
        [65_535, 65_535],
        [65_535, 16],
        [16, 65_535],
        [0, 0],
        [20_000, 20_000],
      ] as const
    ).map(([width, height]) =>
      hostile(`a JPEG of ${width} by ${height}`, withSize(jpeg, width, height)),
    ),
    ...(
      [
        [65_535, 65_535],
        [1, 65_535],
        [0, 0],
      ] as const
    ).map(([width, height]) =>
      hostile(`a GIF of ${width} by ${height}`, getGif(width, height), CANARY),
    ),
    hostile(
      'a WebP of another length',
      webp.subarray(0, 4),
      Buffer.alloc(4, 255),
      webp.subarray(8),
    ),
    hostile(
      'a WebP with a canvas of 16 million',
      'RIFF\xff\0\0\0WEBP',
      getCanvas(0xffffff),
      webp.subarray(12),
    ),
  ]
}

async function largeContents({ jpeg, png }: SamplePictures): Promise<HostileFile[]> {
  const zeros = deflateSync(Buffer.alloc(30_000_000))
  const frames = sharp({
    create: { width: 64, height: 64 * 200, channels: 3, background: '#333', pageHeight: 64 },
  })
  return [
    hostile(
      'a PNG with a text of 30 MB',
      behindHeader(png, pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), zeros]))),
    ),
    hostile(
      'a PNG with a profile of 30 MB',
      behindHeader(png, pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), zeros]))),
    ),
    hostile('a PNG of 30 MB of zeros', behindHeader(png, pngChunk('IDAT', zeros))),
    hostile('a WebP of 200 pictures', await frames.clone().webp({ loop: 0 }).toBuffer()),
    hostile('a GIF of 200 pictures', await frames.clone().gif().toBuffer()),
    hostile('a JPEG of 48 megapixels', await pictureBytes(8000, 6000)),
    hostile('a JPEG of one line', await pictureBytes(16_000, 1)),
    hostile('a PNG of one column', await pictureBytes(1, 16_000, { format: 'png' })),
    hostile('a picture that is compressed again', gzipSync(jpeg)),
  ]
}

/** SamplePictures of rare kinds: other colours, depths and orders of lines, and formats that are not taken. */
export async function rarePictures({ jpeg }: SamplePictures): Promise<HostileFile[]> {
  const of = () => sharp(jpeg)
  const made: [string, Sharp][] = [
    ['a JPEG in CMYK', of().toColourspace('cmyk').jpeg()],
    ['a JPEG in grey', of().greyscale().jpeg()],
    ['a progressive JPEG', of().jpeg({ progressive: true })],
    ['a JPEG of the worst quality', of().jpeg({ quality: 1 })],
    ['a PNG with a palette', of().png({ palette: true, colours: 2 })],
    ['an interlaced PNG', of().png({ progressive: true })],
    ['a PNG with 16 bits', of().toColourspace('rgb16').png()],
    ['a PNG in grey', of().greyscale().png()],
    ['a PNG with a hidden picture', of().ensureAlpha(0).png()],
    ['a WebP without losses', of().webp({ lossless: true })],
    ['a WebP with a hidden picture', of().ensureAlpha(0).webp()],
    ['a GIF', of().gif()],
    ['a TIFF', of().tiff()],
    [
      'a TIFF with a place',
      of()
        .withExif({ IFD0: { Copyright: CANARY } })
        .tiff(),
    ],
    ['a TIFF in tiles', of().tiff({ tile: true, pyramid: true })],
    ['an AVIF', of().avif({ effort: 0 })],
    ['raw pixels', of().raw()],
  ]
  return Promise.all(made.map(async ([label, picture]) => hostile(label, await picture.toBuffer())))
}
