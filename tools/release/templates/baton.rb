class Baton < Formula
  desc "AI coding sessions that survive crashes and ask before they act"
  homepage "https://github.com/baton/baton"
  url "https://registry.npmjs.org/@baton/cli/-/cli-{{version}}.tgz"
  sha256 "{{sha256}}"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    generate_completions_from_executable(bin/"baton", "completion")
    (man1/"baton.1").write Utils.safe_popen_read(bin/"baton", "completion", "man")
  end

  service do
    run [opt_bin/"baton", "daemon", "run"]
    keep_alive true
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/baton --version")
  end
end
