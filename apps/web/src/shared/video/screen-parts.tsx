import { createContext, use, type ComponentType, type ReactNode } from 'react'
import type { DeviceKind } from '@duet/call-engine'
import type { Receipt } from '@duet/protocol'

/**
 * Parts of a screen that belong to one feature and appear in another feature. `app/` provides the parts, so that
 * features do not import each other.
 */
export interface ScreenParts {
  /** The own picture, which fills its container. */
  OwnPicture: ComponentType<{ dimmed?: boolean | undefined }>
  /** Opens the device dialog. */
  DeviceButton: ComponentType<{ size?: 44 | 54 | undefined }>
  /** The choice of camera and microphone. */
  DevicePickers: ComponentType
  /** A button for each camera or microphone. A press uses the device from then on. */
  DeviceButtons: ComponentType<{ kind: DeviceKind }>
  /** How light, sound and picture arrive at the partner, shown on the own picture. */
  DeviceCheck: ComponentType
  /** The cost or the earnings of a call. */
  ReceiptLines: ComponentType<{ receipt: Receipt }>
}

const ScreenPartsContext = createContext<ScreenParts | undefined>(undefined)

export function ScreenPartsProvider({
  parts,
  children,
}: {
  parts: ScreenParts
  children: ReactNode
}) {
  return <ScreenPartsContext value={parts}>{children}</ScreenPartsContext>
}

function useScreenParts(): ScreenParts {
  const parts = use(ScreenPartsContext)
  if (!parts) throw new Error('Impossible: a screen outside of ScreenPartsProvider')
  return parts
}

export function OwnPicture({ dimmed }: { dimmed?: boolean }) {
  const Part = useScreenParts().OwnPicture
  return <Part dimmed={dimmed} />
}

export function DeviceButton({ size }: { size?: 44 | 54 }) {
  const Part = useScreenParts().DeviceButton
  return <Part size={size} />
}

export function DevicePickers() {
  const Part = useScreenParts().DevicePickers
  return <Part />
}

export function DeviceButtons({ kind }: { kind: DeviceKind }) {
  const Part = useScreenParts().DeviceButtons
  return <Part kind={kind} />
}

export function DeviceCheck() {
  const Part = useScreenParts().DeviceCheck
  return <Part />
}

export function ReceiptLines({ receipt }: { receipt: Receipt }) {
  const Part = useScreenParts().ReceiptLines
  return <Part receipt={receipt} />
}
