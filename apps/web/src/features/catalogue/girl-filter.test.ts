import { expect, test } from 'vitest'
import { applyChange, readFilter, toQuery } from './girl-filter.ts'

const read = (search: string) => readFilter(new URLSearchParams(search))

test('an address with words that the page does not know shows the girls who are online', () => {
  expect(read('tab=x&sort=y&language=tlh&name=')).toEqual({
    tab: 'online',
    name: '',
    language: undefined,
    top: false,
    sort: 'best',
  })
})

test('a name is looked for among all girls, and no longer than the server takes it', () => {
  expect(toQuery(read('tab=offline&name= Anna '))).toEqual({ query: 'Anna' })
  expect(toQuery(read('tab=offline&language=de'))).toEqual({
    offline: true,
    language: 'de',
    sort: 'best',
  })
  expect(read(`name=${'x'.repeat(1_000_000)}`).name).toHaveLength(100)
})

test('the top girls are a filter of every list, and also of a name', () => {
  expect(toQuery(read('top=1'))).toEqual({ top: true, sort: 'best' })
  expect(toQuery(read('top=1&name=Anna'))).toEqual({ query: 'Anna', top: true })
  expect(applyChange(read('tab=recommended'), { top: true })).toMatchObject({
    tab: 'online',
    top: true,
  })
})

test('a language leads from the recommendations to the girls who are online', () => {
  expect(applyChange(read('tab=recommended'), { language: 'fr' }).tab).toBe('online')
  expect(applyChange(read('tab=offline'), { language: 'fr' }).tab).toBe('offline')
  expect(applyChange(read('tab=recommended'), { name: 'Anna' }).tab).toBe('recommended')
})
