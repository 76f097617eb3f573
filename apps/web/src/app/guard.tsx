import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAuthStatus } from '../shared/auth-status.ts'
import { checkAccess, type AccessRequirement } from './access.ts'

/** Shows a page to whom it is for; everybody else goes to `/`, where Login opens and continues to the page afterwards. */
export function Guard({ needs, children }: { needs: AccessRequirement; children: ReactNode }) {
  const { pathname, search } = useLocation()
  const verdict = checkAccess(needs, useAuthStatus())
  if (verdict === 'wait') return <div className="min-h-dvh" />
  if (verdict === 'pass') return children
  return (
    <Navigate to="/" replace state={needs === 'auth' ? { login_then: pathname + search } : null} />
  )
}
