import { expect, test } from 'vitest'
import type { WireRole } from '@duet/protocol/kernel/roles.ts'
import { activate, loadTexts, t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { getLabel, loadNavItems, navItems } from './nav-items.ts'

async function labels(role: WireRole): Promise<string[]> {
  await activate('en')
  await loadTexts('frame', 'app', 'billing')
  await loadNavItems()
  return navItems
    .getSnapshot()
    .filter((item) => item.role === undefined || item.role === role)
    .map((item) => `${t(getLabel(item, role))} ${item.place}`)
}

test('a guy has his entries in their order', async () => {
  expect(await labels('men')).toEqual([
    'Chat rail',
    'Girls rail',
    'Messages rail',
    'Favourites rail',
    'History more',
    'Dates more',
    'Gifts more',
    'Purchases more',
    'Me tab',
  ])
})

test('a girl has hers, and Invite opens the invitations above the present page', async () => {
  expect(await labels('girl')).toEqual([
    'Studio rail',
    'Messages rail',
    'Guests rail',
    'Favourites rail',
    'History more',
    'Dates more',
    'Gifts more',
    'Invite more',
    'Me tab',
  ])
  navItems.getSnapshot().find(({ label }) => label === 'nav.invite')!.open!()
  expect(dialogs.getSnapshot().map(({ name }) => name)).toEqual(['referral'])
  dialogs.closeAll()
})
