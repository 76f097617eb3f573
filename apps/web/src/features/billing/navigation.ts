import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  { to: '/purchases/', label: 'nav.purchases', icon: ReceiptIcon, place: 'more', role: 'men' },
]
