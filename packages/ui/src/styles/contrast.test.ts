import { equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const source = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

type Palette = Map<string, string>

function palette(selector: string): Palette {
  const block = source.slice(source.indexOf(selector))
  const body = block.slice(block.indexOf('{') + 1, block.indexOf('}'))
  return new Map(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/gu)].map((found) => [found[1] ?? '', found[2] ?? '']),
  )
}

const themes = { dark: palette(':root,'), light: palette("[data-theme='light']") }

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(theme: Palette, over: string, under: string): number {
  const [light, dark] = [over, under]
    .map((name) => luminance(theme.get(name) ?? ''))
    .sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const grounds = ['bg', 'surface-1', 'surface-2', 'surface-3']
const hues = ['moon', 'gold', 'ice', 'ok', 'warn', 'danger']

for (const [name, theme] of Object.entries(themes)) {
  test(`${name}: every text is readable on every ground it may stand on`, () => {
    for (const text of ['text', 'text-2', 'text-3', 'ember-hi', ...hues]) {
      for (const ground of grounds) ok(contrast(theme, text, ground) >= 4.5, `${text} on ${ground}`)
    }
    for (const text of ['text', 'text-2'])
      ok(contrast(theme, text, 'surface-4') >= 4.5, `${text} on surface-4`)
  })

  test(`${name}: a hue is readable on its own tint, and so is the text of the page`, () => {
    for (const hue of hues) {
      ok(contrast(theme, hue, `${hue}-lo`) >= 4.5, `${hue} on its tint`)
      ok(contrast(theme, 'text', `${hue}-lo`) >= 4.5, `text on ${hue}-lo`)
    }
    ok(contrast(theme, 'ember-hi', 'ember-lo') >= 4.5)
  })

  test(`${name}: text on a filled control is readable and a field's edge is visible`, () => {
    for (const fill of ['ember', 'moon', 'gold'])
      ok(contrast(theme, `on-${fill}`, fill) >= 4.5, `on ${fill}`)
    ok(contrast(theme, 'on-danger', 'danger-solid') >= 4.5)
    for (const ground of grounds)
      ok(contrast(theme, 'line-strong', ground) >= 3, `edge on ${ground}`)
  })
}

test('light leaves no token of dark behind', () => {
  equal([...themes.dark.keys()].sort().join(), [...themes.light.keys()].sort().join())
})
