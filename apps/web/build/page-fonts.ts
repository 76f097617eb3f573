import { createHash } from 'node:crypto'
import { Window, type Node as DomNode } from 'happy-dom'
import { fontSubset } from '@duet/ui/fonts/subset.ts'

const FACE = /@font-face\s*\{[^}]*\}/g
/** Elements of a page in the display family. Every other text is in the interface's families. */
const DISPLAY = '[class*="display-"], .font-story'
/** Figures arrive after the page was made. */
const FIGURES = '0123456789.,: '

interface Family {
  name: string
  part: 'ui' | 'display'
  /** The weights that a landing page uses. */
  weights: { min: number; max: number }
}

/** The families of `packages/ui/src/styles/type.css`, in the order of their use. */
const FAMILIES: readonly Family[] = [
  { name: 'Vazirmatn Variable', part: 'ui', weights: { min: 400, max: 600 } },
  { name: 'Onest Variable', part: 'ui', weights: { min: 400, max: 600 } },
  { name: 'Literata Display', part: 'display', weights: { min: 420, max: 500 } },
]

interface Face {
  family: Family
  style: 'normal' | 'italic'
  file: string
  range: string
}

interface PageFontsOptions {
  /** The whole built stylesheet. */
  css: string
  html: string
  /** Reads a built file by its address. */
  read: (address: string) => Buffer
}

/** A font inside the page. The names of the fields are the names of `FontFace`. */
interface PageFont {
  family: string
  style: string
  weight: string
  unicodeRange: string
  base64: string
}

/** Constant, so that the content security policy has one hash for every page. */
const ADD_FONTS = `for (var font of JSON.parse(document.getElementById('page-fonts').content.textContent)) {
        var bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(font.base64) : Uint8Array.from(atob(font.base64), function (sign) { return sign.charCodeAt(0) })
        document.fonts.add(new FontFace(font.family, bytes, font))
      }`

/**
 * The fonts inside a page contain only the characters that the page shows. Each family has a second name for these
 * characters, and the second name comes first in the order of fonts. A script in the head adds the fonts before the
 * first layout. A font of a stylesheet comes after the first layout, even from a data address: the page would be laid
 * out twice.
 */
export async function pageFonts({ css, html, read }: PageFontsOptions): Promise<string> {
  const texts = shownCharacters(html)
  const fonts: PageFont[] = []
  const families: Record<Family['part'], Set<string>> = { ui: new Set(), display: new Set() }
  for (const face of fontFaces(css)) {
    const { family, style, file, range } = face
    const shown = [...texts[`${family.part}-${style}`]].filter(isIn(range)).join('')
    if (shown.trim() === '') continue
    families[family.part].add(pageName(family))
    fonts.push(await pageFont(face, read(file), shown))
  }
  const names = (part: Family['part']) => [...families[part]].map((name) => `'${name}',`).join('')
  return [
    `<style>:root{--page-font-ui:${names('ui')};--page-font-display:${names('display')}}</style>`,
    `<template id="page-fonts">${JSON.stringify(fonts)}</template>`,
    `<script>${ADD_FONTS}</script>`,
  ].join('\n    ')
}

async function pageFont(
  { family, style, range }: Face,
  font: Buffer,
  characters: string,
): Promise<PageFont> {
  const { min, max } = family.weights
  const bytes = await subset(font, characters, family.weights)
  return {
    family: pageName(family),
    style,
    weight: `${min} ${max}`,
    unicodeRange: range,
    base64: bytes.toString('base64'),
  }
}

const pageName = ({ name }: Family) => `${name.split(' ')[0]} Page`

type TextsByFace = Record<`${Family['part']}-${Face['style']}`, Set<string>>

/** The characters of a page by the fonts that draw them. A script without a display family sets headings in the interface's. */
function shownCharacters(html: string): TextsByFace {
  const window = new Window()
  const document = new window.DOMParser().parseFromString(html, 'text/html')
  const texts: TextsByFace = {
    'ui-normal': new Set(FIGURES),
    'ui-italic': new Set(),
    'display-normal': new Set(),
    'display-italic': new Set(),
  }
  const walk = (node: DomNode) => {
    for (const child of node.childNodes) walk(child)
    if (node.nodeType !== node.TEXT_NODE) return
    const display = node.parentElement?.closest(DISPLAY)
    const style = node.parentElement?.closest('.emphasis') ? 'italic' : 'normal'
    for (const character of node.textContent) {
      texts['ui-normal'].add(character)
      if (display) texts[`display-${style}`].add(character)
    }
  }
  walk(document.body)
  return texts
}

/** The faces of the families above that are files of the build. */
function fontFaces(css: string): Face[] {
  return [...css.matchAll(FACE)].flatMap(([rule]) => {
    const value = (name: string) =>
      new RegExp(`${name}:([^;}]*)`).exec(rule)?.[1]!.replaceAll(/["']/g, '').trim() ?? ''
    const family = FAMILIES.find(({ name }) => name === value('font-family'))
    const file = /url\(["']?([^)"']+)/.exec(rule)?.[1]
    if (!family || !file) return []
    const style = value('font-style') === 'italic' ? 'italic' : 'normal'
    return [{ family, style, file, range: value('unicode-range') }]
  })
}

/** Whether a character is in a `unicode-range`: `U+131`, `U+152-153` or `U+4??`. */
function isIn(range: string): (character: string) => boolean {
  const spans = range.split(',').map((each) => {
    const [from = '', to = from] = each.trim().replace(/^U\+/i, '').split('-')
    return [parseInt(from.replaceAll('?', '0'), 16), parseInt(to.replaceAll('?', 'F'), 16)] as const
  })
  return (character) => {
    const code = character.codePointAt(0)!
    return spans.some(([from, to]) => code >= from && code <= to)
  }
}

const made = new Map<string, Promise<Buffer>>()

/** Pages of several languages often show the same characters. */
function subset(font: Buffer, text: string, wght: Family['weights']): Promise<Buffer> {
  const sorted = [...text].sort().join('')
  const key = createHash('sha256').update(font).update(sorted).digest('hex')
  const known = made.get(key) ?? fontSubset(font, sorted, { wght })
  made.set(key, known)
  return known
}
