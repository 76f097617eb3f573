import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import { activate } from '../../shared/i18n.ts'
import { Hero } from './hero.tsx'

beforeEach(() => activate('en', ['app', 'landing']))

const onlineLine = (count?: number) => {
  const markup = renderToStaticMarkup(
    <Hero women_online={count} women_online_start={1000} busy={false} onStart={() => {}} />,
  )
  const page = new DOMParser().parseFromString(markup, 'text/html')
  return [...page.querySelectorAll('p')].find((line) => /women online/i.test(line.textContent))!
}

test('the page keeps room for the starting figure, and shows a number only when it is real', () => {
  expect(onlineLine().textContent).toMatch(/1,?000 women/)
  expect(onlineLine().classList.contains('invisible')).toBe(true)
  expect(onlineLine(7).textContent).toContain('7 women')
  expect(onlineLine(7).classList.contains('invisible')).toBe(false)
})
