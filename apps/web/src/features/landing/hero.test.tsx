import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, test } from 'vitest'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { Hero, type HeroProps } from './hero.tsx'

beforeAll(async () => {
  await activate('en')
  await loadTexts('landing')
})

function render(figures: Pick<HeroProps, 'women_online' | 'women_online_start'>) {
  const html = renderToStaticMarkup(<Hero busy={false} onStart={() => {}} {...figures} />)
  const line = html.split('<p ').find((each) => /wom[ae]n online/.test(each))!
  return {
    number: /([\d.,\s]+) wom[ae]n online/.exec(line)![1]!.replaceAll(/\D/g, ''),
    isShown: !/class="[^"]*invisible/.test(line),
  }
}

test('before a woman is known to be online, the page reserves the width of the setting and shows no number', () => {
  const women_online_start = 1500
  expect(render({})).toEqual({ number: '20', isShown: false })
  expect(render({ women_online_start })).toEqual({ number: '1500', isShown: false })
  expect(render({ women_online: 0, women_online_start })).toEqual({
    number: '1500',
    isShown: false,
  })
  expect(render({ women_online: 3, women_online_start })).toEqual({ number: '3', isShown: true })
})
