import { useOwnUser, useAppServices, useSnapshot } from './app-services.tsx'

/** Logged in means registered: a user with an e-mail address. Everybody else is a guest. */
export function isRegistered(user: { email: string | null } | undefined): boolean {
  return Boolean(user?.email)
}

/** `unknown` while nobody has answered yet whether the kept token is a member's. */
export function useAuthStatus(): 'member' | 'guest' | 'unknown' {
  const { persistence } = useAppServices()
  const { auth } = useSnapshot()
  const user = useOwnUser()
  if (isRegistered(user)) return 'member'
  return auth || !persistence.get('member') ? 'guest' : 'unknown'
}
