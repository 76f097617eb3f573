import { beforeEach, expect, test } from 'vitest'
import type { UserInterlocutor } from '@duet/protocol'
import { changeAccount } from '../account/account-store.ts'
import { patchPerson, personById, storePeople } from './people.ts'

beforeEach(() => changeAccount(undefined))
const user = (id: number, nick: string) => ({ id, nick, is_favorite: false }) as UserInterlocutor

test('a change applies to the user with that id and to no other', () => {
  const boris = user(2, 'Boris')
  storePeople([user(1, 'Anna'), boris])
  patchPerson(1, { is_favorite: true })
  expect(personById(1)).toMatchObject({ nick: 'Anna', is_favorite: true })
  expect(personById(2)).toBe(boris)
})

test('a change of a user who was never stored is ignored', () => {
  patchPerson(7, { is_favorite: true })
  expect(personById(7)).toBeUndefined()
})

test('newer data of the same user replaces older data', () => {
  storePeople([user(1, 'Anna')])
  storePeople([user(1, 'Annette')])
  expect(personById(1)?.nick).toBe('Annette')
})
