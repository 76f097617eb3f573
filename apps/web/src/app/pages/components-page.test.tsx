import { expect, test } from 'vitest'
import { renderToStaticMarkup } from 'react-dom/server'
import { Bars } from '@duet/ui'

test('a bar chart has a hidden table with the same values', () => {
  const bars = [
    { label: '9', parts: [1, 2], text: '3 coins' },
    { label: '10', parts: [0, 0], text: 'nothing' },
  ]
  const series = [
    { name: 'Calls', tone: 'ember' as const },
    { name: 'Texts', tone: 'moon' as const },
  ]
  const html = renderToStaticMarkup(<Bars label="Coins by hour" series={series} bars={bars} />)
  const page = new DOMParser().parseFromString(html, 'text/html')
  const rows = [...page.querySelectorAll('table.sr-only tr')].map((row) => row.textContent)
  expect(rows).toEqual(['93 coins', '10nothing'])
  expect(page.querySelector('caption')!.textContent).toBe('Coins by hour')
})
