import { expect, test } from 'vitest'
import { criticalCss } from './critical-css.ts'

const page = '<a class="here md:flex [&amp;&gt;svg]:shrink"></a>'

test('what the page can show stays, what it cannot show goes', () => {
  const css = '.here{color:red}.gone{color:blue}.here.gone{top:0}.gone,.here{left:0}'
  expect(criticalCss(css, page)).toBe('.here{color:red}.gone,.here{left:0}')
})

test('layers and queries are looked into, and empty ones go', () => {
  const css =
    '@layer a,b;@layer a{.gone{top:0}}@media (width>1px){.md\\:flex{display:flex}.gone{top:0}}'
  expect(criticalCss(css, page)).toBe('@layer a,b;@media (width>1px){.md\\:flex{display:flex}}')
})

test('rules without a class, faces, and braces in strings survive', () => {
  const css =
    'html{color:red}@font-face{src:url("a}b")}a:not(.gone){content:"{"}.\\[\\&\\>svg\\]\\:shrink>svg{flex:none}'
  expect(criticalCss(css, page)).toBe(css)
})
