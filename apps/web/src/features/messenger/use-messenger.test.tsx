import { afterEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot } from 'react-dom/client'
import type { Dialog, UserInterlocutor } from '@duet/protocol'
import { changeAccount } from '../../shared/account/account-store.ts'
import { storePeople } from '../../shared/people/people.ts'
import { useInterlocutor } from './use-messenger.ts'

const anna: UserInterlocutor = {
  id: 7,
  ref_code: 'ANNA1',
  nick: 'Anna',
  role: 'girl',
  avatar: '/media/a/full',
  avatar_variants: [{ width: 120, url: '/media/a/small' }],
  locale: 'pt',
  is_premium: false,
  is_favorite: true,
  status: 'online',
  sub_status: null,
}

afterEach(() => {
  changeAccount(undefined)
  vi.unstubAllGlobals()
})

test('an interlocutor has the widths of the avatar that is shown, never those of the older one', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const seen: unknown[] = []
  function Probe() {
    const { avatar, avatar_variants } = useInterlocutor({ interlocutor: anna } as Dialog)
    seen.push([avatar, avatar_variants?.length])
    return null
  }
  const root = createRoot(document.createElement('div'))
  act(() => root.render(<Probe />))
  act(() => storePeople([{ ...anna, avatar: '/media/b/blur', avatar_variants: undefined }]))
  act(() => root.unmount())
  expect(seen).toEqual([
    ['/media/a/full', 1],
    ['/media/b/blur', undefined],
  ])
})
