import sharp from 'sharp'

/**
 * libvips recognises many formats by their first bytes, SVG among them, whose loaders read files and have had faults. Only
 * the loaders of the three formats stay, and nothing but those formats reaches libvips at all.
 */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
