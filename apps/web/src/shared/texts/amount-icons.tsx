import { CoinIcon, DiamondIcon } from '@duet/ui'

/** The currency signs of a rich text: `<diamond/>` and `<coin/>`. */
export const AMOUNT_ICONS = {
  diamond: () => <DiamondIcon size={14} className="me-0.5 inline align-[-2px]" />,
  coin: () => <CoinIcon size={14} className="me-0.5 inline align-[-2px]" />,
}
