import { ChatTeardropDotsIcon } from '@phosphor-icons/react/dist/csr/ChatTeardropDots'

interface Size {
  size?: number
  className?: string
}

/** Diamonds: the currency in which guys pay. */
export function DiamondIcon({ size = 16, className }: Size) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={className}
      style={{ flexShrink: 0 }}
    >
      <path d="M4.3 2h7.4L15 6.1 8 14.6 1 6.1Z" fill="#9BDDEE" />
      <path d="M1 6.1h14L8 14.6Z" fill="#5FB7D2" />
      <path d="M5.2 6.1h5.6L8 14.6Z" fill="#C9F0FA" />
      <path d="M5.2 6.1 8 2l2.8 4.1Z" fill="#EAFBFF" />
    </svg>
  )
}

/** Coins: the currency that girls earn. */
export function CoinIcon({ size = 16, className }: Size) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 16 16"
      width={size}
      height={size}
      className={className}
      style={{ flexShrink: 0 }}
    >
      <circle cx="8" cy="8" r="7.3" fill="#C99A3B" />
      <circle cx="8" cy="7.6" r="6.9" fill="#F3D588" />
      <circle cx="8" cy="7.7" r="5.1" fill="#E0B458" />
      <path d="M8 4a4.6 4.6 0 0 1 0 7.4A4.6 4.6 0 0 1 8 4Z" fill="#8A5F14" />
    </svg>
  )
}

/** A paid message. */
export function MessageIcon({ size = 16, className }: Size) {
  return (
    <ChatTeardropDotsIcon
      aria-hidden
      weight="fill"
      size={size}
      className={className ?? 'shrink-0 text-text-3'}
    />
  )
}
