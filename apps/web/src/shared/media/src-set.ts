import type { PictureVariant } from '@duet/protocol'

/** The stored widths of a picture for `srcset`. Undefined if the picture has only one address. */
export function findSrcSet(variants: readonly PictureVariant[] | undefined): string | undefined {
  if (!variants?.length) return undefined
  return variants.map(({ width, url }) => `${url} ${width}w`).join(', ')
}
