import { useOwnUser, useAppServices, useSnapshot } from '../app-services.tsx'

/** A registered user has an e-mail address. All others are guests. */
export function isRegistered(user: { email: string | null } | undefined): boolean {
  return Boolean(user?.email)
}

/** `unknown` until the server has answered whether the stored token is a member's. */
export function useAuthStatus(): 'member' | 'guest' | 'unknown' {
  const { persistence } = useAppServices()
  const { auth } = useSnapshot()
  const user = useOwnUser()
  if (isRegistered(user)) return 'member'
  return auth || !persistence.get('member') ? 'guest' : 'unknown'
}
