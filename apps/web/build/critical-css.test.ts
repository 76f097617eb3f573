import { expect, test } from 'vitest'
import { criticalCss } from './critical-css.ts'

const PAGE = '<a class="here md:flex [&amp;&gt;svg]:shrink"><svg></svg></a>'

test('keeps the rules that the page can show and removes the others', () => {
  const css = '.here{color:red}.gone{color:blue}.here.gone{top:0}.gone,.here{left:0}'
  expect(criticalCss(css, PAGE)).toBe('.here{color:red}.gone,.here{left:0}')
})

test('filters inside layers and queries, and removes those that become empty', () => {
  const css =
    '@layer a,b;@layer a{.gone{top:0}}@media (width>1px){.md\\:flex{display:flex}.gone{top:0}}'
  expect(criticalCss(css, PAGE)).toBe('@layer a,b;@media (width>1px){.md\\:flex{display:flex}}')
})

test('removes the rules of elements and of parts of fields that the page lacks', () => {
  const css =
    'a:hover{top:0}progress{top:1px}a progress{top:2px}button,a>b,a{left:0}::placeholder{top:3px}[lang] a:not(table):lang(ar){top:4px}'
  expect(criticalCss(css, PAGE)).toBe(
    'a:hover{top:0}button,a>b,a{left:0}[lang] a:not(table):lang(ar){top:4px}',
  )
})

test('keeps the registered properties and the animations that a kept rule names', () => {
  const css =
    '.here{rotate:var(--turn);animation:spin 1s}@property --turn{inherits:false}@property --turn-2{inherits:false}@keyframes spin{to{top:0}}@keyframes roll{to{top:0}}'
  expect(criticalCss(css, PAGE)).toBe(
    '.here{rotate:var(--turn);animation:spin 1s}@property --turn{inherits:false}@keyframes spin{to{top:0}}',
  )
})

test('keeps rules without a class, font faces, and braces inside strings', () => {
  const css =
    'html{color:red}@font-face{src:url("a}b")}a:not(.gone){content:"{"}.\\[\\&\\>svg\\]\\:shrink>svg{flex:none}'
  expect(criticalCss(css, PAGE)).toBe(css)
})

test('removes the rules for languages and directions that the page does not have', () => {
  const arabic = ':lang(ar){top:0}:lang(fa,"ar"){top:3px}'
  const mirrored = '.here:where(:is(:lang(ar),:lang(he)),[dir=rtl],[dir=rtl] *){left:0}'
  const all = '.here:not(:is(:lang(ja),:lang(ar))){left:1px}.here:is([dir=rtl] .q,a){left:2px}'
  const css = `${arabic}${mirrored}:is(:lang(zh),:lang(ja)){top:1px}[dir=rtl]{top:2px}${all}`
  const page = (lang: string, dir: string) => `<html lang="${lang}" dir="${dir}">${PAGE}`
  expect(criticalCss(css, page('en', 'ltr'))).toBe(all)
  expect(criticalCss(css, page('ar', 'rtl'))).toBe(`${arabic}${mirrored}[dir=rtl]{top:2px}${all}`)
  expect(criticalCss(css, page('ja', 'ltr'))).toContain(':lang(zh)')
  expect(criticalCss(css, PAGE)).toBe(css)
})

test('removes the rules of hover and press where they are not wanted', () => {
  const other = 'a:is(:hover,:focus){top:3px}a:not(:hover){top:4px}:active-view-transition{top:5px}'
  const css = `@media (hover:hover){a:hover{top:0}}a:active{top:1px}a:focus-visible{top:2px}${other}`
  expect(criticalCss(css, PAGE)).toBe(css)
  expect(criticalCss(css, PAGE, { pointer: false })).toBe(`a:focus-visible{top:2px}${other}`)
})
