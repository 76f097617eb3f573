import { gzipSync } from 'node:zlib'
import { box, CANARY, hostile, PAGE, uint32, zip, type HostileFile } from './hostile-file.ts'

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

/** Files that a browser or a program would run or open, with the name of a picture. */
export function activeFiles(): HostileFile[] {
  return [...pages(), ...svgs(), ...scripts(), ...programs(), ...archives(), ...videos()]
}

function pages(): HostileFile[] {
  return [
    hostile('a page', PAGE),
    hostile('a page with a byte order mark', '\xef\xbb\xbf', PAGE),
    hostile('a page in UTF-16', Buffer.from(`\ufeff${PAGE}`, 'utf16le')),
    hostile('a page behind a comment', `<!-- ${' '.repeat(2000)} -->`, PAGE),
    hostile(
      'an XHTML page',
      `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${PAGE}</html>`,
    ),
    hostile('a mail with a page', `MIME-Version: 1.0\nContent-Type: text/html\n\n${PAGE}`),
    hostile('an application cache', `CACHE MANIFEST\n/${CANARY}`),
    hostile('a policy across domains', `<cross-domain-policy>${CANARY}</cross-domain-policy>`),
    hostile('a style sheet', `@import url(//x/${CANARY});`),
    hostile('a manifest of an app', `{"name":"${CANARY}","start_url":"//x"}`),
  ]
}

function svgs(): HostileFile[] {
  const laugh = (name: string, of: string) => `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`
  const laughs = ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name, at) =>
    laugh(name, 'abcdefghi'[at]!),
  )
  return [
    hostile('an SVG that runs a script at its load', `<svg ${SVG} onload="alert('${CANARY}')"/>`),
    hostile('an SVG with a script', `<svg ${SVG}><script>alert('${CANARY}')</script></svg>`),
    hostile('an SVG with a page in it', `<svg ${SVG}><foreignObject>${PAGE}</foreignObject></svg>`),
    hostile('an SVG that reads a file', `<svg ${SVG}><image href="file:///etc/passwd"/></svg>`),
    hostile(
      'an SVG that calls a server',
      `<svg ${SVG}><image xlink:href="http://127.0.0.1:9/${CANARY}"/></svg>`,
    ),
    hostile('an SVG that refers to itself', `<svg ${SVG}><g id="a"><use href="#a"/></g></svg>`),
    hostile(
      'an SVG with a style from elsewhere',
      `<?xml-stylesheet href="//x/${CANARY}"?><svg ${SVG}/>`,
    ),
    hostile(
      'an SVG of a huge size',
      `<svg ${SVG} width="1000000" height="1000000"><rect width="9" height="9"/></svg>`,
    ),
    hostile('a compressed SVG', gzipSync(`<svg ${SVG} onload="alert('${CANARY}')"/>`)),
    hostile(
      'an XML entity',
      '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><svg>&y;</svg>',
    ),
    hostile(
      'a billion laughs',
      `<!DOCTYPE x [<!ENTITY a "${CANARY}">${laughs.join('')}]><svg>&i;</svg>`,
    ),
  ]
}

function scripts(): HostileFile[] {
  return [
    hostile('a shell script', `#!/bin/sh\necho ${CANARY}`),
    hostile('a PHP page', `<?php echo "${CANARY}"; ?>`),
    hostile('a GIF that is PHP', `GIF89a<?php echo "${CANARY}"; ?>`),
    hostile('a GIF that is a script', `GIF89a/*${CANARY}*/=1;`),
    hostile('a BMP that is a script', `BM/*${CANARY}*/=1;`),
    hostile('a batch file', `@echo off\r\necho ${CANARY}`),
    hostile('a module of a browser', `export default "${CANARY}"`),
    hostile('an ImageMagick command', `push graphic-context\nurl(https://x/${CANARY})`),
    hostile(
      'an ImageMagick script',
      `<image><read filename="/etc/passwd"/><write filename="${CANARY}"/></image>`,
    ),
    hostile('a PostScript', `%!PS\n(${CANARY}) run`),
    hostile('an encapsulated PostScript', `%!PS-Adobe-3.0 EPSF-3.0\n(%pipe%id) (w) file ${CANARY}`),
    hostile('settings of a web server', `AddType application/x-httpd-php .jpg # ${CANARY}`),
    hostile('a starter of a desktop', `[Desktop Entry]\nExec=sh -c ${CANARY}`),
    hostile('a table with a formula', `=cmd|' /C calc'!A0,${CANARY}`),
    hostile('a document', `%PDF-1.7\n1 0 obj<</OpenAction<</JS(${CANARY})>>>>`),
    hostile('a text with formats', `{\\rtf1 ${CANARY}}`),
  ]
}

function programs(): HostileFile[] {
  return [
    hostile('a program of Linux', '\x7fELF\x02\x01\x01', Buffer.alloc(60), CANARY),
    hostile(
      'a program of Windows',
      'MZ',
      Buffer.alloc(58),
      '\x80\0\0\0',
      Buffer.alloc(64),
      'PE\0\0',
      CANARY,
    ),
    hostile('a program of macOS', '\xcf\xfa\xed\xfe', Buffer.alloc(40), CANARY),
    hostile('a class of Java', '\xca\xfe\xba\xbe\0\0\0\x34', CANARY),
    hostile('a WebAssembly module', '\0asm\x01\0\0\0', CANARY),
    hostile('a Flash film', 'FWS\x0a', Buffer.alloc(20), CANARY),
    hostile('a link of Windows', 'L\0\0\0\x01\x14\x02\0', Buffer.alloc(12), CANARY),
    hostile('a database', 'SQLite format 3\0', Buffer.alloc(84), CANARY),
    hostile('two bytes of a JPEG', '\xff\xd8'),
    hostile('one byte', '\xff'),
    hostile('nothing but zeros', Buffer.alloc(4096)),
  ]
}

function archives(): HostileFile[] {
  const tar = Buffer.alloc(1024)
  tar.write(`../../../etc/${CANARY}`)
  tar.write('ustar', 257)
  return [
    hostile('an archive', zip(`../../../etc/${CANARY}`, PAGE)),
    hostile('an office document', zip('word/document.xml', PAGE)),
    hostile('an app of Android', zip('AndroidManifest.xml', CANARY)),
    hostile('a tape archive', tar),
    hostile('a compressed bomb', gzipSync(Buffer.alloc(20_000_000))),
    hostile('a 7z', '7z\xbc\xaf\x27\x1c\0\x04', CANARY),
    hostile('a RAR', 'Rar!\x1a\x07\x01\0', CANARY),
    hostile('a bzip2', 'BZh91AY&SY', CANARY),
    hostile('an image of a disk', Buffer.alloc(32_769), 'CD001', CANARY),
  ]
}

function videos(): HostileFile[] {
  const brand = (name: string) => box('ftyp', name, uint32(0), 'isom')
  const riff = (kind: string) => Buffer.from(`RIFF\xff\xff\xff\x7f${kind}LIST`, 'latin1')
  return [
    hostile(
      'an MP4',
      brand('mp42'),
      box('moov', box('udta', CANARY)),
      box('mdat', Buffer.alloc(500)),
    ),
    hostile('an MP4 with a page behind it', brand('isom'), box('mdat', Buffer.alloc(50)), PAGE),
    hostile('a QuickTime film', brand('qt  '), box('moov', CANARY)),
    hostile('an MP4 whose box has no end', brand('mp42'), uint32(0x7fffffff), 'moov', CANARY),
    hostile('a film of a phone', brand('3gp5'), box('moov', CANARY)),
    hostile('an HEIC without a picture', brand('heic'), box('meta', CANARY)),
    hostile('an AVIF without a picture', brand('avif'), box('meta', CANARY)),
    hostile('a film with the brand of a picture', brand('avif'), box('moov', CANARY)),
    hostile('a WebM', '\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm', CANARY),
    hostile('a Matroska', '\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska', CANARY),
    hostile('an AVI', riff('AVI '), CANARY),
    hostile('a sound', riff('WAVE'), CANARY),
    hostile('a WebP that is a film', riff('WEBP'), 'ftypmp42', CANARY),
    hostile('an Ogg', 'OggS\0\x02', Buffer.alloc(20), CANARY),
    hostile('an MP3', 'ID3\x03\0\0\0\0\x0f\x76', CANARY),
    hostile('a Flash video', 'FLV\x01\x05\0\0\0\x09', CANARY),
    hostile(
      'a transport stream',
      ...Array.from({ length: 4 }, () =>
        Buffer.concat([Buffer.from('G'), Buffer.alloc(187, 0x20)]),
      ),
      CANARY,
    ),
    hostile(
      'a play list that reads a file',
      `#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n# ${CANARY}`,
    ),
    hostile(
      'a list of parts that reads a file',
      `ffconcat version 1.0\nfile /etc/passwd # ${CANARY}`,
    ),
  ]
}
