import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAuthStatus } from '../shared/account/auth-status.ts'
import type { AccessRequirement } from '../shared/feature.ts'
import { checkAccess } from './access.ts'

/** Shows a page to users with access. All others are sent to `/`, where the login opens and continues to the page. */
export function GuardedPage({
  access,
  children,
}: {
  access: AccessRequirement
  children: ReactNode
}) {
  const { pathname, search, hash } = useLocation()
  const decision = checkAccess(access, useAuthStatus())
  if (decision === 'wait') return <div className="min-h-dvh" />
  if (decision === 'allow') return children
  return (
    <Navigate
      to="/"
      replace
      state={access === 'member' ? { login_then: pathname + search + hash } : null}
    />
  )
}
