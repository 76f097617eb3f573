import { expect, test } from 'vitest'
import { documentText } from './check-texts.ts'

test('a document is named by its kind and its country, and an unknown code stays', () => {
  const named = (document_type: string | null, country: string | null) =>
    documentText({ document_type, country })
  expect(named('passport', 'DE')).toBe('Passport · Germany')
  expect(named('driving_licence', null)).toBe('Driving licence')
  expect(named('library_card', 'no country')).toBe('library_card · no country')
})
