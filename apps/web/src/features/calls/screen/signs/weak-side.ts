import type { SideMedia } from '@duet/protocol'

/**
 * The side with a network that carries only a small picture. Each page judges what it sends, and tells the other page. If
 * both say so, the line between them is poor.
 */
export function findWeakSide(
  isOwnWeak: boolean,
  partner: SideMedia,
): 'own' | 'partner' | 'both' | null {
  if (isOwnWeak) return partner.weak ? 'both' : 'own'
  return partner.weak ? 'partner' : null
}
