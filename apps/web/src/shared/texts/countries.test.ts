import { expect, test } from 'vitest'
import { activate } from '../i18n.ts'
import { countryOptions } from './countries.ts'

test('every country is offered once, by its name, in the order of the names', async () => {
  await activate('en')
  const options = countryOptions()
  const labels = options.map(({ label }) => label)
  expect(new Set(labels).size).toBe(250)
  expect(labels).toEqual(labels.toSorted(new Intl.Collator('en').compare))
  expect(options.filter(({ value, label }) => value === label)).toEqual([])
  expect(options).toContainEqual({ value: 'XK', label: 'Kosovo' })
})
