import type { WireRole } from '@duet/protocol/kernel/roles.ts'
import { UserCircleIcon } from '@phosphor-icons/react/dist/csr/UserCircle'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { Icon } from '@phosphor-icons/react'
import type { TextId } from '../../shared/i18n.ts'

export interface NavItem {
  readonly to: string
  readonly label: TextId
  readonly icon: Icon
}

const chat = { to: '/', label: 'nav.chat', icon: VideoCameraIcon } as const
const studio = { to: '/', label: 'nav.studio', icon: VideoCameraIcon } as const
const me = { to: '/profile/', label: 'nav.me', icon: UserCircleIcon } as const

/** What there is to go to now. A feature that comes adds its place here; nothing stands here that leads nowhere. */
export function railItems(role: WireRole | null): readonly NavItem[] {
  return [role === 'girl' ? studio : chat]
}

export function tabItems(role: WireRole | null): readonly NavItem[] {
  return [...railItems(role), me]
}
