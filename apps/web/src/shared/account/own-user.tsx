import { createContext, use, type ReactNode } from 'react'
import type { AuthSuccess, User } from '@duet/protocol'
import { toRole, roleOfGender } from '@duet/protocol/kernel/roles.ts'
import { isRegistered } from './auth-status.ts'

/** The own record as far as search and calls use it. */
export interface OwnUser {
  id: number
  role: 'guy' | 'girl'
  /** Registered: required to accept an offer. */
  is_member: boolean
  nick: string | null
  avatar: string | null
  avatar_status: User['avatar_status']
  /** Other users see an avatar, so a girl cannot search without an avatar. */
  avatar_shown: boolean
  is_verified: boolean
  /** How far the check of the identity is. */
  verify_state: User['info']['verify_state']
  auto_accept: boolean
  /** The partner's picture is covered until this user presses. */
  safe_video?: boolean
  /** A decimal string: diamonds of a guy, coins of a girl. */
  balance: string
  /** Free seconds that are left. */
  quota_seconds: number
}

/** The own record of an AUTH answer. A user without a gender counts as a guy. */
export function getOwnUser({
  user,
  free_quota,
}: Pick<AuthSuccess, 'user' | 'free_quota'>): OwnUser {
  const { id, nick, avatar, avatar_status, avatar_shown, auto_accept, safe_video, balance, info } =
    user as User
  const role = user.role ? toRole(user.role) : user.gender ? roleOfGender(user.gender) : 'guy'
  return {
    id,
    role,
    nick,
    avatar,
    avatar_status,
    avatar_shown,
    auto_accept,
    safe_video,
    balance,
    is_member: isRegistered(user),
    is_verified: info.is_verify,
    verify_state: info.verify_state,
    quota_seconds: free_quota,
  }
}

const OwnUserContext = createContext<OwnUser | null>(null)

export function OwnUserProvider({ user, children }: { user: OwnUser | null; children: ReactNode }) {
  return <OwnUserContext value={user}>{children}</OwnUserContext>
}

/** The own user. Only screens after AUTH call this hook. */
export function useOwnUser(): OwnUser {
  const user = use(OwnUserContext)
  if (!user) throw new Error('Impossible: a screen of search or calls before AUTH')
  return user
}
