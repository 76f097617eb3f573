import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useAppServices } from '../../shared/app-services.tsx'

/** The screens that the parameter `to-screen` of an entry link names. */
const SCREENS = { verify: '/profile/#verification' } as const

/** Leads a member to the screen that an entry link asked for: at once, or after the login or registration. */
export function useWantedScreen(): void {
  const { persistence } = useAppServices()
  const status = useAuthStatus()
  const navigate = useNavigate()
  useEffect(() => {
    const wanted = persistence.get('to_screen')
    if (status !== 'member' || !wanted) return
    persistence.set('to_screen', undefined)
    const screen = SCREENS[wanted]
    if (screen) void navigate(screen)
  }, [status, persistence, navigate])
}
