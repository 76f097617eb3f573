declare module 'fontverter' {
  export function convert(font: Buffer, to: 'sfnt'): Promise<Buffer>
}
