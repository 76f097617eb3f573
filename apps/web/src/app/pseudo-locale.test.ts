import { expect, test } from 'vitest'
import { activate, t } from '../shared/i18n.ts'
import { lengthened } from './pseudo-locale.ts'

test('the long pseudo-locale lengthens plain sentences, plurals and sentences with marks', async () => {
  await activate('en')
  const plain = {
    sentence: t('landing.lead'),
    count: t('landing.women_online', { count: 1 }),
    marked: t('landing.title'),
  }
  await activate('en', ['landing'], lengthened)
  expect(t('landing.lead').length).toBeGreaterThan(plain.sentence.length * 1.3)
  expect(t('landing.women_online', { count: 1 }).length).toBeGreaterThan(plain.count.length)
  expect(t('landing.title')).toMatch(/<em>.*<\/em>/)
  expect(t('landing.title').length).toBeGreaterThan(plain.marked.length)
  await activate('en')
})
