import { expect, test } from 'vitest'
import { criticalCss } from './critical-css.ts'

const PAGE = '<a class="here md:flex [&amp;&gt;svg]:shrink"></a>'

test('keeps the rules that the page can show and removes the others', () => {
  const css = '.here{color:red}.gone{color:blue}.here.gone{top:0}.gone,.here{left:0}'
  expect(criticalCss(css, PAGE)).toBe('.here{color:red}.gone,.here{left:0}')
})

test('filters inside layers and queries, and removes those that become empty', () => {
  const css =
    '@layer a,b;@layer a{.gone{top:0}}@media (width>1px){.md\\:flex{display:flex}.gone{top:0}}'
  expect(criticalCss(css, PAGE)).toBe('@layer a,b;@media (width>1px){.md\\:flex{display:flex}}')
})

test('keeps rules without a class, font faces, and braces inside strings', () => {
  const css =
    'html{color:red}@font-face{src:url("a}b")}a:not(.gone){content:"{"}.\\[\\&\\>svg\\]\\:shrink>svg{flex:none}'
  expect(criticalCss(css, PAGE)).toBe(css)
})
