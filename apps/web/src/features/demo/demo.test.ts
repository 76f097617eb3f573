import { type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import { expect, test } from 'vitest'
import { partnerFor } from './demo-menu.tsx'
import { isLoopback, otherOrigin } from './sign-in.ts'

const person = (user_id: number, role: Role) => ({
  user_id,
  role: wireRole(role),
  nick: '',
  avatar: null,
  is_premium: false,
})
const cast = [person(1, 'guy'), person(2, 'girl'), person(3, 'girl')]

test('a second window opens on the other loopback name, with the same port', () => {
  expect(otherOrigin({ protocol: 'http:', hostname: 'localhost', port: '3000' })).toBe(
    'http://127.0.0.1:3000',
  )
  expect(otherOrigin({ protocol: 'http:', hostname: '127.0.0.1', port: '' })).toBe(
    'http://localhost',
  )
  expect(isLoopback({ hostname: 'duet.example' })).toBe(false)
})

test('offers a girl to a guy, a guy to a girl, and never the user themselves', () => {
  expect(partnerFor({ id: 1, role: wireRole('guy') }, cast)?.user_id).toBe(2)
  expect(partnerFor({ id: 2, role: 'girl' }, cast)?.user_id).toBe(1)
  expect(partnerFor({ id: 9, role: null }, cast)?.user_id).toBe(2)
  expect(partnerFor({ id: 1, role: 'girl' }, [person(1, 'guy')])).toBeUndefined()
})
