import type deviceTexts from '@duet/locales/en/devices.json'
import type { Feature } from '../../shared/feature.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    devices: typeof deviceTexts
  }
}

/** Own camera and microphone: the gate before search and calls, the device dialog, the own picture. */
export const devices = {} satisfies Feature
