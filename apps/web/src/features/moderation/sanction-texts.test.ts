import { expect, test } from 'vitest'
import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { SanctionReason } from '@duet/protocol/kernel/sanctions.ts'
import { activate, hasText } from '../../shared/i18n.ts'

test('every rule and every reason of a ban has a text', async () => {
  await activate('en')
  const reasons = [...ruleNames, ...SanctionReason.options]
  expect(reasons.filter((reason) => !hasText(`sanction.reason.${reason}`))).toEqual([])
})
