import { createContext, use, type ReactNode } from 'react'
import type { DeviceGate } from './device-gate.ts'

const DeviceGateContext = createContext<DeviceGate | undefined>(undefined)

export function DeviceProvider({ gate, children }: { gate: DeviceGate; children: ReactNode }) {
  return <DeviceGateContext value={gate}>{children}</DeviceGateContext>
}

export function useDeviceGate(): DeviceGate {
  const gate = use(DeviceGateContext)
  if (!gate) throw new Error('Impossible: a screen of the devices outside of DeviceProvider')
  return gate
}
