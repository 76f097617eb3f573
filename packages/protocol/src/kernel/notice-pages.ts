/** The page that a notice opens, in the bell and from push and mail. */
export function noticePage(kind: string, ref_code: string | null): `/${string}` {
  switch (kind) {
    case 'wanted_girl_online':
      return ref_code === null ? '/' : `/girl/${ref_code}`
    case 'kept':
      return ref_code === null ? '/messenger/' : `/girl/${ref_code}`
    case 'liked':
    case 'missed_call':
      return '/messenger/'
    case 'date':
      return '/virtualdate/'
    case 'payment':
      return '/purchases/'
    case 'photo':
      return '/profile/#photos'
    case 'verification':
      return '/verification/'
    case 'statement':
    case 'penalty':
    case 'penalty_refund':
    case 'appeal':
      return '/profile/#decisions'
    case 'referral':
      return '/profile/#invite'
    case 'security':
      return '/profile/#devices'
    default:
      return '/'
  }
}
