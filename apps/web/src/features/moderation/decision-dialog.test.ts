import { beforeEach, expect, test, vi } from 'vitest'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { callPresent } from '../../shared/video/call-present.ts'
import { showDecision } from './decision-dialog.ts'

beforeEach(async () => {
  await activate('en')
  await loadTexts('moderation')
  vi.restoreAllMocks()
  callPresent.set(false)
})

test('a decision is shown at once, and in a call after its end, once', () => {
  const open = vi.spyOn(dialogs, 'open').mockImplementation(() => {})
  showDecision('statement', { id: 1 })
  expect(open).toHaveBeenCalledWith('statement', { id: 1 })
  callPresent.set(true)
  showDecision('statement', { id: 2 })
  expect(open).toHaveBeenCalledTimes(1)
  callPresent.set(false)
  expect(open).toHaveBeenLastCalledWith('statement', { id: 2 })
  callPresent.set(true)
  callPresent.set(false)
  expect(open).toHaveBeenCalledTimes(2)
})
