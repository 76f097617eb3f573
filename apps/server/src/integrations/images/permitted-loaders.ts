import sharp from 'sharp'

/**
 * libvips recognises many formats by their first bytes. Loaders of some formats, such as SVG, read files
 * and have had faults. So only the loaders of the three formats stay, and libvips gets no other format.
 */
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
})
