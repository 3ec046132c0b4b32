export async function doctor(_options: { json?: boolean }): Promise<void> {}
